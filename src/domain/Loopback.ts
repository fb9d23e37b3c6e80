/** Whether a host, as addresses, URLs or `HOST` write it, is this machine only. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)
