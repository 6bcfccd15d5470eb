import { type Mutant, mutantsOf, SURVIVED_REVIEW } from '../mutant.ts'

const LOG = 'test/monitoring/log.test.ts'
const CONFIG = 'test/lib/config.test.ts'
const ROLES = 'test/roles/settings.test.ts'
const TABLES = 'test/architecture-tables.test.ts'

const log = mutantsOf('src/lib/log.ts', [LOG])
const config = mutantsOf('src/lib/config.ts', [CONFIG])

/** Bugs in logs, settings, documentation and the map of the code. */
export const EDGES: Mutant[] = [
  log('Secrets are logged in their forms', '    hooks: { streamWrite: withoutSecrets },\n', '', SURVIVED_REVIEW),
  log(
    'Secrets are logged under their names',
    "paths: [...SECRET_NAMES, ...SECRET_NAMES.map((name) => `*.${name}`), 'url', 'req.headers'],",
    "paths: ['url', 'req.headers'],",
    SURVIVED_REVIEW,
  ),
  log(
    'The parameters of a statement that failed are logged',
    '    serializers: { err: (error: unknown) => safeError(error, !terminal || STACK_LEVELS.has(level)) },\n',
    '',
    SURVIVED_REVIEW,
  ),
  mutantsOf('src/lib/text/secret-forms-rules.ts', [LOG])(
    'Signing secrets are logged',
    '  [/\\bwhsec_[A-Za-z0-9+/=]+/g, `whsec_${CENSOR}`],\n',
    '',
  ),
  mutantsOf('src/roles/role.ts', [ROLES])(
    'A worker starts in production without a secret key',
    "    role !== 'api' && !secretKey && 'PRICETAPE_SECRET_KEY',\n",
    '',
    SURVIVED_REVIEW,
  ),
  mutantsOf('src/roles/role.ts', [ROLES])(
    'A worker starts a Temporal server beside the one of others',
    "    role === 'worker' && !temporal.external && 'TEMPORAL_ADDRESS',\n",
    '',
  ),
  config(
    'Receivers may be on private addresses in production',
    "  if (e.PRICETAPE_ALLOW_PRIVATE_ENDPOINTS) problems.push('PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: is for development only')\n",
    '',
    SURVIVED_REVIEW,
  ),
  config(
    'Checks run at another interval in production',
    "  if (e.PRICETAPE_CHECK_INTERVAL * SECOND !== CHECK_INTERVAL_MS)\n    problems.push('PRICETAPE_CHECK_INTERVAL: must be 300 in production')\n",
    '',
  ),
  mutantsOf('src/prices/plan/plan-rules.ts', ['test/architecture-rules.test.ts'])(
    'A rule reads the clock',
    'export function planIngest(',
    'export const readAt = () => Date.now()\nexport function planIngest(',
  ),
  mutantsOf('src/aliases/member-store.ts', [TABLES])(
    'A store reads a table of another room',
    ' as m (provider text, resource text)`',
    ' as m (provider text, resource text) where not exists (select from webhook)`',
  ),
]
