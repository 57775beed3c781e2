import { Suspense } from 'react'
import type { RenderLetters } from '../../features/roll-import/import-draft'
import { RollImport } from '../../features/roll-import/roll-import'
import { lazyComponent } from '../../lib/lazy'

const ClaimLetters = lazyComponent(() =>
  import('../../features/claim-letters/claim-letters').then((m) => m.ClaimLetters),
)

const letters: RenderLetters = (codes, onClose) => (
  <Suspense>
    <ClaimLetters codes={codes} onClose={onClose} />
  </Suspense>
)

export const ImportTab = () => <RollImport letters={letters} />
