import type { FeatureName } from '#contracts/identity'

/** A feature under the name of the section it opens. */
export type FeatureWords = { key: FeatureName; label: string }
