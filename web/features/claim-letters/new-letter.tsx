import { useState } from 'react'
import type { ClaimCodeLetter } from '#contracts/roll-import'
import { ClaimLetters } from './claim-letters'
import { LettersQuestion } from './letters-question'

type NewLetterProps = { studentId: number; onClose: () => void }

/** A new letter for the family of one child: the question, then the letter. */
export const NewLetter = ({ studentId, onClose }: NewLetterProps) => {
  const [codes, setCodes] = useState<readonly ClaimCodeLetter[] | null>(null)
  if (codes) return <ClaimLetters codes={codes} onClose={onClose} />
  return (
    <LettersQuestion
      count={1}
      to={{ ids: [studentId] }}
      onClose={onClose}
      onMade={(made) => (made.length > 0 ? setCodes(made) : onClose())}
    />
  )
}
