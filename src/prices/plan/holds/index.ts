// Written by "npm run generate" from the folders of the levels, in the order of their ranks.
import { currencyChanged } from './line/currency-changed.ts'
import { flipsBack } from './line/flips-back.ts'
import { freeUnlikeOtherSellers } from './line/free-unlike-other-sellers.ts'
import { fromZero } from './line/from-zero.ts'
import { implausiblePrice } from './line/implausible-price.ts'
import { largeChange } from './line/large-change.ts'
import { leftByItsSource } from './line/left-by-its-source.ts'
import { powerOfTen } from './line/power-of-ten.ts'
import { tenfoldWithOthers } from './line/tenfold-with-others.ts'
import { toZero } from './line/to-zero.ts'
import { unitChanged } from './line/unit-changed.ts'
import { unlikeOtherSellers } from './line/unlike-other-sellers.ts'
import { veryLargeChange } from './line/very-large-change.ts'
import { massChange } from './provider/mass-change.ts'
import { providerFlippedUnit } from './provider/provider-flipped-unit.ts'
import { batchAboveStandard } from './resource/batch-above-standard.ts'
import { cacheReadAboveInput } from './resource/cache-read-above-input.ts'
import { cacheWriteFarAboveInput } from './resource/cache-write-far-above-input.ts'
import { outputBelowInput } from './resource/output-below-input.ts'
import { outputSlightlyBelowInput } from './resource/output-slightly-below-input.ts'
import { tierBelowBase } from './resource/tier-below-base.ts'
import { contradictsMissingLine } from './set/contradicts-missing-line.ts'
import { unusualAtProvider } from './set/unusual-at-provider.ts'
import { unusualFirstPrice } from './set/unusual-first-price.ts'
import { withItsSet } from './set/with-its-set.ts'

/** Every reason to hold a price. The first of several names an item to review. */
export const HOLDS = [
  massChange,
  providerFlippedUnit,
  toZero,
  fromZero,
  powerOfTen,
  tenfoldWithOthers,
  veryLargeChange,
  largeChange,
  currencyChanged,
  unitChanged,
  implausiblePrice,
  unlikeOtherSellers,
  freeUnlikeOtherSellers,
  flipsBack,
  leftByItsSource,
  cacheReadAboveInput,
  cacheWriteFarAboveInput,
  outputBelowInput,
  outputSlightlyBelowInput,
  batchAboveStandard,
  tierBelowBase,
  contradictsMissingLine,
  unusualFirstPrice,
  unusualAtProvider,
  withItsSet,
] as const

export type HoldReason = (typeof HOLDS)[number]['code']
