import { useQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { RollEntry } from '#contracts/enrolment'
import { CallError, messageOf } from '../../lib/call'
import { longDay } from '../../lib/format'
import { adminToast } from '../../lib/toast'
import { usePaused } from '../../lib/use-time'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Notice } from '../../ui/notice'
import { RadioCards } from '../../ui/radio-cards'
import { ChooseFound, FoundButton } from './choose-found'
import { childrenQuery, distinguishingTexts, merge } from './roll-act'

type MergeDialogProps = { child: RollEntry; onClose: () => void }

/** First the duplicate, then which entry stays. */
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
          more={distinguishingTexts(twin)}
          onChoose={() => onChoose(twin)}
        />
      )}
    </ChooseFound>
  )
}

type MergeQuestionProps = { child: RollEntry; twin: RollEntry; onBack: () => void; onClose: () => void }

/** Confirms, as merging cannot be undone. */
const MergeQuestion = ({ child, twin, onBack, onClose }: MergeQuestionProps) => {
  const [stays, setStays] = useState(likelier(child, twin).id)
  const [into, from] = stays === child.id ? [child, twin] : [twin, child]
  const merging = useMutation(merge)
  const confirm = () =>
    merging.mutate(
      { params: { id: from.id }, body: { intoId: into.id } },
      {
        onSuccess: () => {
          adminToast({ title: `${into.name} is one child now` })
          onClose()
        },
      },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Make these two entries one child?"
      actions={
        <>
          <Button variant="secondary" disabled={merging.isPending} onClick={onBack}>
            Back
          </Button>
          <Button variant="danger" busy={merging.isPending} busyLabel="Joining..." onClick={confirm}>
            Make One Child
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RadioCards
          label="Which entry stays?"
          options={[child, twin].map((one) => ({
            value: one.id,
            label: one.name,
            hint: distinguishingTexts(one).filter(Boolean).join(' · '),
          }))}
          value={stays}
          onChange={setStays}
        />
        <p>
          It keeps its name and grade, and gets the lunches, guardians and allergies of the other. What it
          does not have, class, number, account or diet, it takes from there; so it does a medical note that
          only the other lets the kitchen see. This cannot be undone.
        </p>
        <LosesChild into={into} from={from} />
        {merging.error ? <MergeFailure error={merging.error} /> : null}
      </div>
    </Dialog>
  )
}

/** The one with an account, else on the school's list. */
const likelier = (child: RollEntry, twin: RollEntry): RollEntry => {
  if (!child.parent !== !twin.parent) return child.parent ? child : twin
  return twin.onRoll && !child.onRoll ? twin : child
}

const LosesChild = ({ into, from }: { into: RollEntry; from: RollEntry }) =>
  into.parent && from.parent && into.parent.id !== from.parent.id ? (
    <Notice tone="warning">
      {`${from.parent.name} (${from.parent.username}) no longer has the child: it is with ${into.parent.name} (${into.parent.username}). Payments stay with who has paid.`}
    </Notice>
  ) : null

const MergeFailure = ({ error }: { error: unknown }) => {
  const dates = error instanceof CallError && error.code === 'same_date' ? error.reply?.dates : null
  if (!Array.isArray(dates))
    return <Notice tone="danger">{messageOf(error, 'Failed to join the entries')}</Notice>
  return (
    <Notice tone="danger" title="Both have a lunch on the same date">
      <ul className="list-disc pl-5">
        {dates.map((date) => (
          <li key={String(date)}>{longDay(String(date))}</li>
        ))}
      </ul>
      <p>Cancel one of the two on each date first, in Cycle History or by the family. Then try again.</p>
    </Notice>
  )
}
