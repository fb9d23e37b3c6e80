declare module "fast-levenshtein" {
  const levenshtein: { readonly get: (first: string, second: string) => number }
  export default levenshtein
}
