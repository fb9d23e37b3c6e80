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

const prepared = (document) => ({
  ...document,
  paths: Object.fromEntries(
    Object.entries(document.paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [
          method,
          { ...operation, parameters: operation.parameters.map(asText) }
        ])
      )
    ])
  )
})

SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  responseInterceptor: (response) => {
    if (!response.loadSpec || !response.ok) return response
    const document = prepared(JSON.parse(response.text))
    return {
      ...response,
      text: JSON.stringify(document),
      data: JSON.stringify(document),
      body: document,
      obj: document
    }
  }
})
