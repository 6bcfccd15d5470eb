// Written by "npm run generate" from the files of this folder, in the order of their ranks.
import { batchAboveStandard } from './batch-above-standard.ts'
import { cacheReadAboveInput } from './cache-read-above-input.ts'
import { cacheWriteFarAboveInput } from './cache-write-far-above-input.ts'
import { contradictsMissingLine } from './contradicts-missing-line.ts'
import { currencyChanged } from './currency-changed.ts'
import { flipsBack } from './flips-back.ts'
import { freeUnlikeOtherSellers } from './free-unlike-other-sellers.ts'
import { fromZero } from './from-zero.ts'
import { implausiblePrice } from './implausible-price.ts'
import { largeChange } from './large-change.ts'
import { leftByItsSource } from './left-by-its-source.ts'
import { massChange } from './mass-change.ts'
import { outputBelowInput } from './output-below-input.ts'
import { outputSlightlyBelowInput } from './output-slightly-below-input.ts'
import { powerOfTen } from './power-of-ten.ts'
import { providerFlippedUnit } from './provider-flipped-unit.ts'
import { tenfoldWithOthers } from './tenfold-with-others.ts'
import { tierBelowBase } from './tier-below-base.ts'
import { toZero } from './to-zero.ts'
import { unitChanged } from './unit-changed.ts'
import { unlikeOtherSellers } from './unlike-other-sellers.ts'
import { unusualAtProvider } from './unusual-at-provider.ts'
import { unusualFirstPrice } from './unusual-first-price.ts'
import { veryLargeChange } from './very-large-change.ts'
import { withItsSet } from './with-its-set.ts'

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
