import { inject } from 'vitest'

/** Something that the whole suite shares (test/support/servers/shared-servers.ts): waits until it is there. */
export async function shared(path: '/temporal' | '/bundle' | '/compiled'): Promise<string> {
  const answer = await fetch(`${inject('shared')}${path}`)
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}
