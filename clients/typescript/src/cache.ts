/** An answer as it came, with the tag under which the server knows it. */
export type CachedAnswer = { etag: string; body: string }

/** Where answers are kept, by their address. Yours may be shared or on disk; forgetting an answer is always allowed. */
export type AnswerCache = {
  get(url: string): CachedAnswer | undefined | Promise<CachedAnswer | undefined>
  set(url: string, answer: CachedAnswer): void | Promise<void>
}

const DEFAULT_MAX_CHARACTERS = 32 * 1024 * 1024

/** Keeps the answers used last, up to a size in all. */
export class MemoryCache implements AnswerCache {
  private readonly answers = new Map<string, CachedAnswer>()
  private readonly maxCharacters: number
  private characters = 0

  constructor(maxCharacters: number = DEFAULT_MAX_CHARACTERS) {
    this.maxCharacters = maxCharacters
  }

  get(url: string): CachedAnswer | undefined {
    const answer = this.answers.get(url)
    if (!answer) return undefined
    // A map keeps its order: what was used last goes to the end.
    this.answers.delete(url)
    this.answers.set(url, answer)
    return answer
  }

  set(url: string, answer: CachedAnswer): void {
    this.forget(url)
    if (sizeOf(url, answer) > this.maxCharacters) return
    this.answers.set(url, answer)
    this.characters += sizeOf(url, answer)
    for (const oldest of this.answers.keys()) {
      if (this.characters <= this.maxCharacters) return
      this.forget(oldest)
    }
  }

  private forget(url: string): void {
    const known = this.answers.get(url)
    if (!known) return
    this.answers.delete(url)
    this.characters -= sizeOf(url, known)
  }
}

const sizeOf = (url: string, { etag, body }: CachedAnswer): number => url.length + etag.length + body.length
