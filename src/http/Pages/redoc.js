/* global Redoc */
Redoc.init(
  "openapi.json",
  { hideHostname: false, requiredPropsFirst: true, expandResponses: "200", jsonSampleExpandLevel: 3 },
  document.getElementById("redoc")
)
