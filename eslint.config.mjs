import tseslint from "typescript-eslint"

/** Which folders a folder must not import: domain <- services <- http, mcp <- the entry points. */
const forbid = (...folders) => ({
  "no-restricted-imports": [
    "error",
    {
      patterns: folders.map((folder) => ({
        regex: `^(\\.\\./)+${folder}(/|\\.ts$|$)`,
        message: `Imports go domain <- services <- http, mcp <- entry points: ${folder} is not for this folder.`
      }))
    }
  ]
})

export default tseslint.config(
  { ignores: ["dist", "node_modules", "coverage"] },
  ...tseslint.configs.strict,
  {
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-extraneous-class": "off",
      "@typescript-eslint/no-invalid-void-type": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      "no-console": "error"
    }
  },
  {
    files: ["src/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.object.name='Effect'][callee.property.name=/^run/]",
          message: "Effects run at the edges only."
        },
        {
          selector: "MemberExpression[object.name='URL'][property.name='canParse']",
          message:
            "Node 20 and 22 return false for Latin-1 strings once it is optimized: use canParseUrl of domain/WebUrl.ts."
        },
        { selector: "VariableDeclaration[kind='let'][parent.type='Program']", message: "No mutable module state." }
      ]
    }
  },
  { files: ["src/domain/**/*.ts"], rules: forbid("services", "http", "mcp") },
  { files: ["src/services/**/*.ts"], rules: forbid("http", "mcp") },
  { files: ["src/http/**/*.ts"], rules: forbid("mcp") },
  { files: ["src/mcp/**/*.ts"], rules: forbid("http") },
  { files: ["bench/**", "tools/training/**", "*.mjs", ".ci/**"], rules: { "no-console": "off" } }
)
