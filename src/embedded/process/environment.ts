/** What any program needs to run; none of it is a setting or a secret of ours. */
const MINIMUM = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'TZ']

/** What a program that reaches the network needs besides: proxies and certificate authorities of this machine. */
const NETWORK = [
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
]

export type Environment = Record<string, string | undefined>

/** The environment of a program that has no business with our settings. */
export const minimalEnvironment = (env: Environment = process.env): Environment => pick(env, MINIMUM)

/** The environment of a program that downloads. */
export const networkEnvironment = (env: Environment = process.env): Environment => pick(env, [...MINIMUM, ...NETWORK])

/** Those variables of an environment that are named and set. */
export function pick(env: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
