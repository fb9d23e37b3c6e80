/* global Redoc */
const element = document.getElementById("redoc")

const show = async () => {
  const response = await fetch("openapi.json")
  if (!response.ok) throw new Error(`openapi.json: ${response.status} ${response.statusText}`)
  // Uses the origin of this page, so that the examples can be pasted as they are.
  const text = (await response.text()).replaceAll("http://localhost:8000", location.origin)
  Redoc.init(
    JSON.parse(text),
    {
      downloadUrls: [{ title: "openapi.json", url: "openapi.json" }],
      expandResponses: "200",
      jsonSampleExpandLevel: 3,
      requiredPropsFirst: true
    },
    element
  )
}

show().catch((error) => {
  element.textContent = `The document could not be read. ${error.message}`
})
