/**
 * Test files that `npm run proofs` runs, in the place of `npm test`: what takes long, and seldom fails alone. Their names
 * are paths in `test`.
 */
export const PROOFS = {
  'long searches': [
    'models/groups',
    'models/keys',
    'models/leases',
    'models/publications',
    'models/source',
    'models/webhook',
    'prices/events/events-match-changes',
    'prices/history/immutable-answers',
    'terms/ingest/volatile-pages',
  ],
  'whole recordings': [
    'collectors/lists/whole-cloud-lists',
    'collectors/lists/whole-model-lists',
    'replay/genai-prices',
    'terms/replay/replay',
  ],
  'megabytes and thousands of rows': [
    'collecting/collect-shards',
    'hostile/price-lists',
    'terms/long-contracts',
    'terms/normalize/hostile-text',
    'webhooks/stale-statistics',
  ],
  // The suite keeps `journeys/app/first-steps`: a price page, a sign-in, and a webhook that is made.
  'every page in a browser': [
    'collectors/fetch/document-browser',
    'journeys/app/accuracy',
    'journeys/app/announced',
    'journeys/app/bad-input',
    'journeys/app/deliveries',
    'journeys/app/documents',
    'journeys/app/evidence',
    'journeys/app/identity',
    'journeys/app/limits',
    'journeys/app/loading',
    'journeys/app/now',
    'journeys/app/operator',
    'journeys/app/people',
    'journeys/app/prices',
    'journeys/app/reference',
    'journeys/app/review',
    'journeys/app/review-desk',
    'journeys/app/watches',
    'journeys/app/webhooks',
  ],
  'servers and installations that are started': [
    'api/history/replica',
    'embedded/backup',
    'embedded/postgres',
    'embedded/servers',
    'embedded/test-servers',
    'journeys/examples',
    'journeys/start/start',
    'journeys/start/start-external',
    'packaging/compose-roles',
    'roles/first-groups',
    'roles/run-migrate',
  ],
  'foreign toolchains': [
    'api/examples',
    'clients/cost',
    'clients/packages',
    'clients/proof-server',
    'clients/python',
    'clients/webhooks',
    'exports/readers',
    'journeys/keycloak',
    'monitoring/alerts',
    'proof/foreign',
    'webhooks/attempts/verification-samples',
    'wire/conformance',
    'wire/documentation',
    'wire/examples',
  ],
  'faults of components, and attacks': [
    'api/hostile',
    'app/hostile-input',
    'collecting/interrupted',
    'embedded/crash-recovery',
    'hostile/namespace',
    'hostile/rendering',
    'journeys/start/killed-starts',
    'journeys/start/start-failures',
    'journeys/start/supervision',
    'lib/isolation/isolation',
    'workflows/endless-changes',
    'workflows/faults',
    'workflows/killed-shards',
    'workflows/lost-store',
    'workflows/slow-workflow',
  ],
}

export const fileOf = (name: string): string => `test/${name}.test.ts`
const SCREENS = 'test/screens/**/*.test.tsx'
const FILES = Object.values(PROOFS).flat().map(fileOf)

/**
 * Returns which files are tests now.
 * @param part the suite, the proofs, or both, so that any file can be run by its name
 */
export function testFiles(part: string | undefined): { include: string[]; exclude?: string[] } {
  if (part === 'proofs') return { include: FILES }
  const include = ['test/**/*.test.{ts,tsx}']
  return part === 'suite' ? { include, exclude: FILES } : { include }
}

/** Pages in processes of their own: beside what other tests leave in memory they take half as long again. */
export function projects(part: string | undefined): { name: string; include: string[]; exclude?: string[] }[] {
  const { include, exclude = [] } = testFiles(part)
  if (part === 'proofs') return [{ name: part, include, exclude }]
  return [
    { name: 'product', include, exclude: [...exclude, SCREENS] },
    { name: 'screens', include: [SCREENS] },
  ]
}
