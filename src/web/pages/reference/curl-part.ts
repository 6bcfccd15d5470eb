import { curlCommand, type SentRequest } from './curl.ts'

type Operation = { security?: object[] }
type Spec = { paths: Record<string, Record<string, Operation>> }
/** The React of Swagger UI, which is another one than the app's. */
type System = { React: { createElement: (...parts: unknown[]) => unknown } }
type Props = { request: { toJS: () => SentRequest } }

/** Shows the request that was tried as a command for a program, which needs a key where a page has its session. */
export const curlPart =
  (spec: Spec) =>
  ({ React: { createElement } }: System) => ({
    components: {
      curl: ({ request }: Props) => {
        const sent = request.toJS()
        const command = curlCommand(sent, asksForKey(spec, sent))
        const copy = () => void navigator.clipboard.writeText(command)
        return createElement(
          'div',
          { className: 'curl-command' },
          createElement('h4', null, 'Request for a program'),
          createElement('pre', { className: 'curl', tabIndex: 0, 'aria-label': 'curl command' }, command),
          createElement('button', { type: 'button', className: 'btn', onClick: copy }, 'Copy'),
        )
      },
    },
  })

function asksForKey({ paths }: Spec, { url, method }: SentRequest): boolean {
  const operation = paths[new URL(url).pathname]?.[method.toLowerCase()]
  return operation?.security?.length !== 0
}
