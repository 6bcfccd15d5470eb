/**
 * Test files that `npm run proofs` runs, in the place of `npm test`: what takes long, and seldom fails alone. Their names
 * are paths in `test`.
 */
export const PROOFS = {
  'long searches': ['prices/history/immutable-answers', 'prices/events/events-match-changes'],
  'whole recordings': [
    'collectors/lists/whole-cloud-lists',
    'collectors/lists/whole-model-lists',
    'replay/genai-prices',
    'terms/replay/replay',
  ],
  'hostile megabytes': ['hostile/price-lists', 'terms/normalize/hostile-text'],
  'every page in a browser': ['journeys/app-bad-input', 'journeys/app-loading', 'journeys/app-review-desk'],
  'foreign toolchains': [
    'api/examples',
    'clients/packages',
    'clients/python',
    'exports/readers',
    'journeys/keycloak',
    'monitoring/alerts',
    'proof/foreign',
    'wire/conformance',
    'wire/documentation',
    'wire/examples',
  ],
  'faults of components, and attacks': [
    'api/hostile',
    'app/hostile-input',
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

/** Both run these, the proofs for longer. */
const IN_BOTH = ['models/groups', 'models/keys', 'models/publications', 'models/source', 'models/webhook']

export const fileOf = (name: string): string => `test/${name}.test.ts`
const FILES = Object.values(PROOFS).flat().map(fileOf)

/**
 * Returns which files are tests now.
 * @param part the suite, the proofs, or both, so that any file can be run by its name
 */
export function testFiles(part: string | undefined): { include: string[]; exclude?: string[] } {
  if (part === 'proofs') return { include: [...FILES, ...IN_BOTH.map(fileOf)] }
  const include = ['test/**/*.test.{ts,tsx}']
  return part === 'suite' ? { include, exclude: FILES } : { include }
}
