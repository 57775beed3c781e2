import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { readDevice, writeDevice } from '../../lib/device-storage'
import { dietText } from '../../lib/format'
import { lazyComponent } from '../../lib/lazy'
import { toast } from '../../lib/toast'
import { mealMarksQuery } from '../../queries/identity'
import { Button } from '../../ui/button'

const HealthDialog = lazyComponent(() => import('./health-dialog').then((m) => m.HealthDialog))

type HealthProps = { student: { id: number; name: string } }

const useSaid = (id: number) =>
  useQuery(mealMarksQuery).data?.students.find(({ studentId }) => studentId === id)

/** With a way to edit it. */
export const ChildHealth = ({ student }: HealthProps) => {
  const said = useSaid(student.id)
  // Reserves the line's place.
  if (!said) return <div className="min-h-9 pointer-coarse:min-h-11" />
  const { allergies, diet } = said
  const words = [
    allergies === null
      ? null
      : allergies.length === 0
        ? 'No allergies'
        : `Allergies: ${allergies.join(', ')}`,
    diet === 'none' ? null : dietText[diet],
  ].filter(Boolean)
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      {words.length > 0 ? <p className="min-w-0 break-words">{words.join(' · ')}</p> : null}
      <HealthButton
        student={student}
        {...(allergies === null
          ? { words: 'Tell the kitchen about allergies and diet', shown: 'Allergies and diet' }
          : { words: 'Change allergies and diet', shown: 'Change' })}
      />
    </div>
  )
}

type ButtonProps = HealthProps & {
  words?: string
  /** Visible label; the place says the rest. */
  shown?: string
}

const askedKey = (studentId: number) => `tuckshop-allergies-asked-${studentId}`

/** Asked once on this device; hidden once declared, and while unknown. `isOnce`: it is not asked again elsewhere. */
export const HealthInvitation = ({ student, isOnce }: HealthProps & { isOnce?: boolean }) => {
  const said = useSaid(student.id)
  const [later, setLater] = useState(() => readDevice(askedKey(student.id)) === 'yes')
  const isAsked = !later && said?.allergies === null
  useEffect(() => {
    if (isOnce && isAsked) writeDevice(askedKey(student.id), 'yes')
  }, [isOnce, isAsked, student.id])
  if (!isAsked) return null
  const askNoMore = () => {
    writeDevice(askedKey(student.id), 'yes')
    setLater(true)
    toast({ title: 'You can tell the kitchen at any time', text: 'It is beside the child, under Students.' })
  }
  return (
    <section
      aria-label="Allergies and diet"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md border border-line bg-surface px-4 py-3"
    >
      <p className="min-w-0 text-sm break-words">
        Is there anything that {student.name} must not eat? The kitchen does not know yet.
      </p>
      <div className="flex flex-wrap gap-2">
        <HealthButton student={student} words="Say it now" />
        <Button variant="ghost" size="sm" onClick={askNoMore}>
          Later
        </Button>
      </div>
    </section>
  )
}

/** Loads on press only: each look of the office is recorded. */
export const HealthButton = ({ student, words = 'Allergies and diet', shown = words }: ButtonProps) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`${words}: ${student.name}`}
        onClick={() => setOpen(true)}
      >
        {shown}
      </Button>
      {open ? (
        <Suspense>
          <HealthDialog student={student} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
