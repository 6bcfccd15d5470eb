/** Returns the secret of the link that opened this page: it stands behind the `#`, which is sent to no server. */
export const linkToken = (): string => new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
