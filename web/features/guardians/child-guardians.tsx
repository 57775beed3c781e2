import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { Guardian } from '#contracts/accounts'
import { lazyComponent } from '../../lib/lazy'
import { notifyFailure, toast } from '../../lib/toast'
import { Breakable } from '../../ui/badge'
import { Button } from '../../ui/button'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { guardiansQuery, remove } from './api'

const GuardiansDialog = lazyComponent(() => import('./guardians-dialog').then((m) => m.GuardiansDialog))

type Child = { id: number; name: string; parentId: number }

/** The first guardian manages; a second one sees the first and may leave. */
export const ChildGuardians = ({ student, userId }: { student: Child; userId: number }) => {
  const { data } = useQuery(guardiansQuery(student.id))
  // Reserves the line's place.
  if (!data) return <div className="min-h-9 pointer-coarse:min-h-11" />
  const isFirst = student.parentId === userId
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <p className="min-w-0 wrap-anywhere empty:hidden">
        <Breakable text={wordsFor(isFirst, data.guardians)} />
      </p>
      {isFirst ? <Guardians student={student} /> : <Leaving student={student} userId={userId} />}
    </div>
  )
}

const wordsFor = (isFirst: boolean, guardians: readonly Guardian[]): string => {
  const names = guardians.filter(({ first }) => first !== isFirst).map(({ name }) => name)
  if (!isFirst) return `First guardian: ${names.join(', ')}`
  return names.length > 0 ? `Also a guardian: ${names.join(', ')}` : ''
}

const Guardians = ({ student }: { student: Child }) => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Guardians: ${student.name}`}
        onClick={() => setOpen(true)}
      >
        Guardians
      </Button>
      {open ? (
        <Suspense>
          <GuardiansDialog student={student} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

const Leaving = ({ student, userId }: { student: Child; userId: number }) => {
  const [asked, setAsked] = useState(false)
  const leaving = useMutation({
    ...remove,
    onSuccess: () => toast({ title: `You are no longer a guardian of ${student.name}` }),
    onError: (error) => notifyFailure(error, 'Failed to remove you'),
  })
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        aria-label={`Leave ${student.name}`}
        busy={leaving.isPending}
        onClick={() => setAsked(true)}
      >
        Leave
      </Button>
      <ConfirmDialog
        open={asked}
        title={`Stop being a guardian of ${student.name}?`}
        confirm="Leave"
        danger
        onClose={() => setAsked(false)}
        onConfirm={() => {
          setAsked(false)
          leaving.mutate({ params: { id: student.id, userId } })
        }}
      >
        You can no longer order for {student.name}. Lunches that you have ordered stay, and what you have paid
        stays in your Order History.
      </ConfirmDialog>
    </>
  )
}
