import { assert, describe, it } from "@effect/vitest"
import { regionOf, regions } from "../../../src/domain/Region.ts"
import { contradicts } from "../../../src/services/search/Language.ts"

const texts = {
  en: "The best mechanical keyboard we have tested is the Keychron Q5 Max. It feels well built and types quietly.",
  de: "Brücken bauen: Wie Ingenieure heute Brücken planen und errichten, von der Statik bis zur Eröffnung.",
  fr: "Les meilleurs claviers mécaniques : notre comparatif complet et nos conseils pour bien choisir le vôtre.",
  nl: "De beste laptops van dit jaar getest en vergeleken door onze redactie, met prijzen en beoordelingen.",
  id: "Belajar memasak untuk pemula: resep sederhana dengan bahan yang mudah didapat dan cara membuatnya di rumah.",
  vi: "Hướng dẫn nấu ăn cho người mới bắt đầu với những công thức đơn giản và nguyên liệu dễ tìm tại nhà.",
  ru: "Купить велосипед в Москве недорого с доставкой по всей России, отзывы покупателей и характеристики.",
  uk: "Київ: новини столиці України сьогодні, останні події та фото, а також погода і розклад поїздів.",
  ja: "橋の構造と歴史についての解説です。日本各地の美しい橋を写真とともに紹介しています。",
  zh: "桥梁工程的历史与现状，介绍中国著名的桥梁及其结构特点和建造方法。",
  el: "Οι γέφυρες της Ελλάδας: ιστορία, κατασκευή και φωτογραφίες από όλη τη χώρα.",
  ar: "الجسور في المملكة العربية السعودية: تاريخها وطرق بنائها وصورها"
}

const isForeign = (region: string, text: keyof typeof texts, query = "keyboard") =>
  contradicts(regionOf(region), query)(texts[text])

describe("contradicts", () => {
  it("tells another script", () => {
    assert.isTrue(isForeign("us-en", "ru"))
    assert.isTrue(isForeign("de-de", "zh"))
    assert.isTrue(isForeign("gr-el", "ar"))
    assert.isTrue(isForeign("us-en", "ja"))
  })

  it("tells another language of the same script, where the text is long enough", () => {
    assert.isTrue(isForeign("us-en", "de"))
    assert.isTrue(isForeign("fr-fr", "nl"))
    assert.isTrue(isForeign("us-en", "id"))
    assert.isTrue(isForeign("de-de", "vi"))
    assert.isTrue(isForeign("ua-uk", "ru", "мост"))
    assert.isFalse(contradicts(regionOf("us-en"), "x")("Brücken bauen und verstehen"))
  })

  it("is content with the region's own language, with English, and with the script of the query", () => {
    const own = { "us-en": "en", "de-de": "de", "ch-fr": "fr", "be-nl": "nl", "ru-ru": "ru", "ua-uk": "uk" } as const
    for (const [region, text] of Object.entries(own)) assert.isFalse(isForeign(region, text), region)
    const others = { "jp-jp": "ja", "cn-zh": "zh", "tw-tzh": "zh", "gr-el": "el", "xa-ar": "ar" } as const
    for (const [region, text] of Object.entries(others)) assert.isFalse(isForeign(region, text), region)
    for (const { code } of regions) assert.isFalse(isForeign(code, "en"), code)
    assert.isFalse(isForeign("us-en", "ru", "велосипед"))
  })

  it("leaves a country its own language where its region is in English", () => {
    assert.isFalse(isForeign("id-en", "id"))
    assert.isFalse(isForeign("my-en", "id"))
    assert.isFalse(isForeign("vn-en", "vi"))
    assert.isTrue(isForeign("id-en", "vi"))
  })

  it("says nothing of a language it cannot tell, of numbers, or where there is no region", () => {
    assert.isFalse(isForeign("dk-da", "de"))
    assert.isFalse(contradicts(regionOf("us-en"), "x")("2026 – 11 – 20, 13:45"))
    for (const text of ["ru", "de", "zh"] as const) assert.isFalse(isForeign("wt-wt", text))
  })
})
