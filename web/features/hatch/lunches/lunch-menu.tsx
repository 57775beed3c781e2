import { type FormEvent, useState } from 'react'
import type { StandingMark } from '#contracts/serving'
import { Button } from '../../../ui/button'
import { TextArea } from '../../../ui/text-field'
import type { Act } from '../use-hatch'

type LunchMenuProps = {
  /** What stands of the lunch. */
  mark: StandingMark | null
  onAct: (act: Omit<Act, 'orderId'>) => void
}

/** What can be said of a lunch beside that it was given; what stands is taken back before it is something else. */
export const LunchMenu = ({ mark, onAct }: LunchMenuProps) => {
  const [noting, setNoting] = useState(false)
  if (mark)
    return (
      <Button
        variant="secondary"
        icon="undo"
        className="min-h-12"
        onClick={() => onAct({ kind: 'undone', undoes: mark.markId })}
      >
        Undo
      </Button>
    )
  if (noting)
    return <ProblemForm onNote={(note) => onAct({ kind: 'problem', note })} onBack={() => setNoting(false)} />
  return (
    <>
      <Button
        variant="secondary"
        icon="person"
        className="min-h-12"
        onClick={() => onAct({ kind: 'absent' })}
      >
        Absent
      </Button>
      <Button variant="secondary" icon="alert" className="min-h-12" onClick={() => setNoting(true)}>
        Problem
      </Button>
    </>
  )
}

const ProblemForm = ({ onNote, onBack }: { onNote: (note: string | null) => void; onBack: () => void }) => {
  const [note, setNote] = useState('')
  const save = (event: FormEvent) => {
    event.preventDefault()
    onNote(note.trim() || null)
  }
  return (
    <form onSubmit={save} className="flex flex-col gap-2">
      <TextArea
        label="What is the problem?"
        maxLength={200}
        rows={2}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <Button type="submit" className="min-h-12">
        Save problem
      </Button>
      <Button variant="ghost" className="min-h-12" onClick={onBack}>
        Cancel
      </Button>
    </form>
  )
}
