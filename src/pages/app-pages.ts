import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Api } from '../api/route.ts'
import { contentName } from '../api/serving/etag-rules.ts'
import type { Answer, SendAnswer } from '../api/serving/send-answer.ts'
import { APP_PATHS } from './app-paths.ts'
import type { Html } from './html-rules.ts'
import { withPreview } from './preview-rules.ts'
import type { DescribePage } from './previews.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Scripts come from this server alone. The components set styles of single elements while they run. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * The signed-in app: one page under every address it knows, and the files that the page loads.
 * @param describe what is added to pages that everyone may read
 * @returns what sends the page, for the address that also answers programs
 */
export function appPages(api: Api, folder: string, sendAnswer: SendAnswer, describe?: DescribePage): SendPage {
  const files = answersOf(folder)
  const page = files.get('/index.html')!
  const sendPage: SendPage = async (request, reply) => {
    const tags = await describe?.(request)
    const answer = tags ? described(await page(), tags) : await page()
    return sendAnswer(request, reply.header('content-security-policy', PAGE_POLICY), answer)
  }
  for (const path of APP_PATHS) api.get(path, { schema: { hide: true } }, sendPage)
  for (const [path, file] of files) {
    if (path === '/index.html') continue
    api.get(path, { schema: { hide: true } }, async (request, reply) => sendAnswer(request, reply, await file()))
  }
  return sendPage
}

/** The page under an address that services look at which show links. */
function described({ make, ...answer }: Answer, tags: Html): Answer {
  const made = async () => {
    const { bytes, headers } = await make()
    return { bytes: withPreview(bytes, tags), headers }
  }
  return { ...answer, name: contentName([answer.name!, tags.markup]), make: made }
}

/** Each file is read when it is requested first. All answers share its bytes. */
function answersOf(folder: string): Map<string, () => Promise<Answer>> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      let answer: Promise<Answer> | undefined
      const read = () => {
        answer ??= readAnswer(path)
        return answer
      }
      return [path.slice(folder.length), read]
    }),
  )
}

async function readAnswer(path: string): Promise<Answer> {
  const bytes = await readFile(path)
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  return {
    name: contentName(bytes),
    // The name of a file in assets holds a hash of its content.
    cacheControl: path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    make: async () => ({ bytes, headers: { 'content-type': type } }),
  }
}
