import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RollEntry } from '#contracts/roll'
import { usePaused } from '../../lib/use-paused'
import { Dialog } from '../../ui/dialog'
import { childrenQuery } from './api'
import { tellingWords } from './child-words'
import { ChooseFound, FoundButton } from './choose-found'
import { MergeQuestion } from './merge-question'

type MergeDialogProps = { child: RollEntry; onClose: () => void }

/** Makes a child that was entered twice one: first which the other entry is, then which of them stays. */
export const MergeDialog = ({ child, onClose }: MergeDialogProps) => {
  const [twin, setTwin] = useState<RollEntry | null>(null)
  const [typed, setTyped] = useState(child.name)
  if (twin) return <MergeQuestion child={child} twin={twin} onBack={() => setTwin(null)} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={`Which entry is ${child.name} too?`}>
      <ChooseTwin child={child} typed={typed} onTyped={setTyped} onChoose={setTwin} />
    </Dialog>
  )
}

type ChooseTwinProps = {
  child: RollEntry
  typed: string
  onTyped: (typed: string) => void
  onChoose: (twin: RollEntry) => void
}

const typingMs = 300

const ChooseTwin = ({ child, typed, onTyped, onChoose }: ChooseTwinProps) => {
  const text = usePaused(typed.trim(), typingMs)
  const found = useQuery({
    ...childrenQuery(text),
    enabled: text !== '',
    select: ({ data }) => data.filter(({ id }) => id !== child.id),
  })
  return (
    <ChooseFound
      label="The other entry"
      hint="Name, admission number or family; type less of the name if it was written otherwise"
      typed={typed}
      onTyped={onTyped}
      query={text === '' ? null : found}
      failure="Failed to fetch the roll"
    >
      {(twin) => (
        <FoundButton
          key={twin.id}
          title={twin.name}
          more={tellingWords(twin)}
          onChoose={() => onChoose(twin)}
        />
      )}
    </ChooseFound>
  )
}
