/** Whether a host refers to this machine only. Accepts the notations of addresses, URLs and `HOST`. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
