/* global SwaggerUIBundle */

/**
 * Swagger UI fills every field with the parameter's example. An unintended filter would then narrow the first search of
 * a new user. Examples of optional parameters are therefore shown as text, and their fields start at the default.
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
  // Uses the origin of this page, so that the examples can be pasted as they are.
  const text = (await response.text()).replaceAll("http://localhost:8000", location.origin)
  SwaggerUIBundle({
    spec: prepared(JSON.parse(text)),
    domNode: element,
    deepLinking: true,
    displayRequestDuration: true,
    // Shows the bounds, lengths and patterns of parameters.
    showCommonExtensions: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null
  })
}

show().catch((error) => {
  element.textContent = `The document could not be read. ${error.message}`
})
