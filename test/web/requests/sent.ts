import { onTestFinished } from 'vitest'

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> }
type SentRequest = { method: string; address: string; init: RequestInit & { headers: Record<string, string> } }

/** Answers every request of a test with what comes next, the last answer again and again. Returns what was sent. */
export function answering(...answers: Answer[]): SentRequest[] {
  const { fetch } = globalThis
  onTestFinished(() => {
    globalThis.fetch = fetch
  })
  const sent: SentRequest[] = []
  globalThis.fetch = (async (address: string, init: SentRequest['init']) => {
    const { status = 200, body = {}, headers } = answers[Math.min(sent.length, answers.length - 1)] ?? {}
    sent.push({ method: init.method ?? 'GET', address, init })
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, ...(headers && { headers }) })
  }) as typeof fetch
  return sent
}
