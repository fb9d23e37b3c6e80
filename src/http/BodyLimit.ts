/** Largest accepted request body, in bytes (contract, section 1). */
export const bodyLimit = 1_048_576
