import { type ItemOf } from "../../domain/ResultItem.ts"

const image = "https://upload.wikimedia.org/wikipedia/commons/e/e6/Red_Panda_%2824986761703%29.jpg"

/** One item of each kind, with the members that a good source provides. */
export const itemExamples: ItemOf = {
  text: {
    title: "Effect: the best way to build robust apps in TypeScript",
    url: "https://effect.website/",
    href: "https://effect.website/",
    body: "Effect is a powerful TypeScript library designed to help developers create complex, synchronous, and asynchronous programs.",
    engines: ["duckduckgo", "mojeek"]
  },
  images: {
    title: "Red Panda",
    url: "https://commons.wikimedia.org/wiki/File:Red_Panda_(24986761703).jpg",
    image,
    thumbnail: `${image}?width=320`,
    width: 1024,
    height: 683,
    source: "commons.wikimedia.org",
    engines: ["openverse"]
  },
  videos: {
    title: "How bridges are built",
    url: "https://www.dailymotion.com/video/x8abcde",
    content: "https://www.dailymotion.com/video/x8abcde",
    description: "From the first pile to the last bolt.",
    duration: "4:36",
    embed_url: "https://www.dailymotion.com/embed/video/x8abcde",
    embed_html:
      '<iframe src="https://www.dailymotion.com/embed/video/x8abcde" width="1280" height="720" frameborder="0" allowfullscreen></iframe>',
    images: { large: null, medium: "https://s1.dmcdn.net/v/x8abcde/x480", small: null, motion: null },
    provider: "Dailymotion",
    published: "2026-03-02T09:30:00.000Z",
    publisher: "Dailymotion",
    uploader: "Engineering Explained",
    statistics: { viewCount: 1862 },
    engines: ["dailymotion"]
  },
  news: {
    title: "Renewables overtake coal for the first time",
    url: "https://www.example-times.com/energy/renewables-overtake-coal",
    date: "2026-11-18T07:15:00.000Z",
    body: "Wind and sun supplied more of the world's electricity than coal in the first half of the year.",
    image: null,
    source: "Example Times",
    engines: ["googlenews"]
  },
  books: {
    title: "Pride and Prejudice",
    url: "https://openlibrary.org/works/OL66554W",
    author: "Jane Austen",
    publisher: "Penguin Classics",
    info: "English, 1813",
    thumbnail: "https://covers.openlibrary.org/b/id/14348537-M.jpg",
    year: 1813,
    language: "eng",
    isbn: "9780141439518",
    engines: ["openlibrary", "gutendex"]
  }
}
