/**
 * Kills worker, API, Temporal (with and without its store) and PostgreSQL at random while deliveries go out, then compares
 * the receiver's log with ours to the last delivery.
 * usage: node --import tsx bench/faults/run.ts [seconds, 600 by default]
 */

import { temporalBinary } from '../../src/embedded/temporal/find-binary.ts'
import { silent } from '../../src/lib/progress.ts'
import { chaos } from './chaos.ts'

const binary = process.env.PRICETAPE_TEMPORAL_BINARY ?? (await temporalBinary({}, silent))
const agreement = await chaos({ temporalBinary: binary, seconds: Number(process.argv[2] ?? 600), say: console.log })
console.log(JSON.stringify(agreement, null, 1))
process.exitCode = agreement.disagreements.length > 0 ? 1 : 0
