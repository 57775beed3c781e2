import { useParams } from 'react-router-dom'
import { ClosingPaper } from '../../features/books/day-end/closing-paper'
import { SectionFrame } from './admin-frame'

/** A closed day, to print. */
export const ClosingPage = () => {
  const { date = '' } = useParams()
  return (
    <SectionFrame title="Day end" section="history" name="Cycle History">
      <ClosingPaper date={date} />
    </SectionFrame>
  )
}
