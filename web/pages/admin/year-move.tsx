import { YearMove } from '../../features/year-move/year-move'
import { SectionFrame } from './admin-frame'

/** Every child one grade up. */
export const YearMovePage = () => (
  <SectionFrame title="Year Move" section="parents_students" name="Parents & Students">
    <YearMove />
  </SectionFrame>
)
