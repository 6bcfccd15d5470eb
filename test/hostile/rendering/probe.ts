/** Where a probe tries to get: an address that no one checked, with a port of the probe's own, and a name. */
export type Target = { host: string; port: number; at: string; path: string; word: string }

/** What a page answers with: its type, its text, and headers, of which the renderer brings over only the type. */
export type Answer = [type: string, body: string, headers?: Record<string, string>]

/** One way of a page to send something. `files` are beside the page, in a folder of the probe's own. */
export type Probe = (to: Target) => { markup: string; files?: Record<string, Answer> }

/** Scripts that fail, because the browser lacks what they use, do not stop the others. */
export const script = (code: string) => `<script>(async () => { ${code} })().catch(() => {})</script>`

export const inScript =
  (code: (to: Target) => string): Probe =>
  (to) => ({ markup: script(code(to)) })

export const inMarkup =
  (markup: (to: Target) => string): Probe =>
  (to) => ({ markup: markup(to) })

/** A document of its own in a frame, so that what it does to itself leaves the page where it is. */
export const inFrame =
  (body: (to: Target) => string, headers?: (to: Target) => Record<string, string>): Probe =>
  (to) => ({
    markup: `<iframe src="${to.path}frame"></iframe>`,
    files: { frame: ['text/html', `<!DOCTYPE html><body>${body(to)}`, headers?.(to)] },
  })

/** A worker made of a text, as a page can make it without a server. */
export const worker = (code: string, type = 'classic') =>
  `(self.kept ??= []).push(new Worker(URL.createObjectURL(new Blob([${JSON.stringify(code)}], { type: 'text/javascript' })), { type: '${type}' }))`
