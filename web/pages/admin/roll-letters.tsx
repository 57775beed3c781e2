import { NewLetters } from '../../features/claim-letters/new-letters'
import { SectionFrame } from './admin-frame'

/** Letters for families of the roll that have no account. */
export const RollLettersPage = () => (
  <SectionFrame title="Letters" section="parents_students" name="Parents & Students">
    <NewLetters />
  </SectionFrame>
)
