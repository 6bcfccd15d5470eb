import { AppError } from '../../../lib/errors.ts'
import { collectSource } from '../../contracts/operator-sources.ts'
import { route } from '../../route.ts'
import { sourceNamed } from './read.ts'

/** POST /v1/operator/sources/{source}/collect: starts the workflow that reads it; one that runs goes on. */
export const collectSourceRoute = route(collectSource, async ({ tools, params }) => {
  const { source, declared } = await sourceNamed(tools.sql, params.source)
  if (!declared) throw new AppError('not_found', `${source} is not declared, or is off in the sources file.`)
  await tools.collect(source)
})
