/** A cookie of ours. Browsers keep the prefix `__Host-` for cookies that came over HTTPS from this host. */
type Cookie = { name: string; value: string; secure: boolean; sameSite: 'Lax' | 'Strict'; lifetimeMs: number }

const sentName = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** Returns a `set-cookie` header. No script reads it. */
export function setCookie({ name, value, secure, sameSite, lifetimeMs }: Cookie): string {
  const pair = `${sentName(name, secure)}=${value}`
  const parts = [pair, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`, `Max-Age=${lifetimeMs / 1_000}`]
  return (secure ? [...parts, 'Secure'] : parts).join('; ')
}

/** Returns the values of a cookie in a `cookie` header: a browser may send several of one name. */
export function cookieValues(header: string | undefined, name: string, secure: boolean): string[] {
  const prefix = `${sentName(name, secure)}=`
  const pairs = (header ?? '').split(';').map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(prefix)).map((pair) => pair.slice(prefix.length))
}
