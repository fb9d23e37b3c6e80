/* global SwaggerUIBundle */

/**
 * Swagger UI fills every field with its parameter's example. A filter that nobody chose would narrow the first search
 * that a newcomer tries, so examples of optional parameters are shown as text, and their fields start at the default.
 */
const asText = (parameter) => {
  if (parameter.required || parameter.example === undefined) return parameter
  const { example, ...rest } = parameter
  return { ...rest, description: `${rest.description}\n\nExample: \`${example}\`` }
}

const mapValues = (record, change) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

const prepared = (document) => ({
  ...document,
  paths: mapValues(document.paths, (methods) =>
    mapValues(methods, (operation) => ({ ...operation, parameters: operation.parameters.map(asText) }))
  )
})

const element = document.getElementById("swagger-ui")

const show = async () => {
  const response = await fetch("openapi.json")
  if (!response.ok) throw new Error(`openapi.json: ${response.status} ${response.statusText}`)
  // So that the examples can be pasted as they are.
  const text = (await response.text()).replaceAll("http://localhost:8000", location.origin)
  SwaggerUIBundle({
    spec: prepared(JSON.parse(text)),
    domNode: element,
    deepLinking: true,
    displayRequestDuration: true,
    // Bounds, lengths and patterns of parameters.
    showCommonExtensions: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null
  })
}

show().catch((error) => {
  element.textContent = `The document could not be read. ${error.message}`
})
