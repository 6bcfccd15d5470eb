import { quoted } from '../../shell-text.ts'

/** Returns a request as a command that sends the same bytes. */
export function curlOf({ url, headers, body }: { url: string; headers: Record<string, string>; body: string }): string {
  const lines = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`)
  return [`curl -i ${quoted(url)}`, ...lines, `  --data-binary ${quoted(body)}`].join(' \\\n')
}
