import { parseUrl } from '../../lib/http/parse-url.ts'

/** Between two requests to one host. */
const HOST_SPACING_MS = 250
/** The last request to each host that has one; a host leaves when its last pause is over. */
const turns = new Map<string, Promise<unknown>>()

/** Makes one request at a time to one host, with a pause after each. */
export function inTurn<T>(url: string, work: () => Promise<T>, spacingMs = HOST_SPACING_MS): Promise<T> {
  const host = parseUrl(url)?.host ?? url
  const mine = (turns.get(host) ?? Promise.resolve()).then(work)
  const done = mine.catch(() => {}).then(() => new Promise((resolve) => setTimeout(resolve, spacingMs)))
  turns.set(host, done)
  void done.then(() => turns.get(host) === done && turns.delete(host))
  return mine
}
