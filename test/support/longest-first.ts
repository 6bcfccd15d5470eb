import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, those that compute and those that wait by turns. */
const LONGEST = [
  'terms/replay',
  'journeys/supervision',
  'terms/hostile-text',
  'workflows/faults',
  'journeys/start-failures',
  'api/hostile',
  'collectors/document-browser',
  'hostile/namespace',
  'journeys/start',
  'journeys/killed-starts',
  'journeys/examples',
  'hostile/price-lists',
]

/** Starts the longest files first, also where no earlier run is remembered, so that none of them is left alone at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return at < 0 ? LONGEST.length : at
    }
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
