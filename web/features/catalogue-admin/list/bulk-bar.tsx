import { useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { counted } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { Checkbox } from '../../../ui/checkbox'
import { ConfirmDialog } from '../../../ui/confirm-dialog'
import { notifyOutcome } from '../../../lib/notify-outcome'
import { archiveMany, duplicate } from '../api'

type BulkBarProps = {
  /** The items of the page; nothing else can be chosen. */
  shown: number[]
  /** How many there are on all pages. */
  total: number
  chosen: number[]
  archived: boolean
  onChoose: (ids: number[]) => void
}

/** Choosing all of the page, and what can be done to the chosen items together. */
export const BulkBar = ({ shown, total, chosen, archived, onChoose }: BulkBarProps) => {
  const all = chosen.length === shown.length
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-sand-50 px-3 py-1.5">
      <Checkbox
        label={wordsOf(shown.length, total, chosen.length)}
        aria-label="Select all"
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = chosen.length > 0 && !all
        }}
        onChange={() => onChoose(all ? [] : shown)}
        className="text-sm font-semibold"
      />
      {chosen.length > 0 ? (
        <BulkActions chosen={chosen} archived={archived} onDone={() => onChoose([])} />
      ) : null}
    </div>
  )
}

const wordsOf = (shown: number, total: number, chosen: number) => {
  if (total === shown) return chosen > 0 ? `${chosen} selected` : 'Select all'
  return chosen > 0 ? `${chosen} of ${shown} on this page selected` : `Select all ${shown} on this page`
}

type BulkActionsProps = { chosen: number[]; archived: boolean; onDone: () => void }

const BulkActions = ({ chosen, archived, onDone }: BulkActionsProps) => {
  const acts = useBulkActs(chosen)
  const [asking, setAsking] = useState(false)
  const finish = async (act: Promise<boolean>) => {
    const done = await act
    setAsking(false)
    if (done) onDone()
  }
  const shared = { variant: 'secondary', size: 'sm', disabled: acts.duplicating || acts.archiving } as const
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        {...shared}
        icon="copy"
        busy={acts.duplicating}
        onClick={() => void finish(acts.duplicateAll())}
      >
        Duplicate
      </Button>
      {archived ? (
        <Button
          {...shared}
          icon="undo"
          busy={acts.archiving}
          onClick={() => void finish(acts.archiveAs(false))}
        >
          Unarchive
        </Button>
      ) : (
        <Button {...shared} icon="archive" onClick={() => setAsking(true)}>
          Archive
        </Button>
      )}
      <ArchiveDialog
        open={asking}
        count={chosen.length}
        busy={acts.archiving}
        onConfirm={() => void finish(acts.archiveAs(true))}
        onClose={() => setAsking(false)}
      />
    </div>
  )
}

type ArchiveDialogProps = {
  open: boolean
  count: number
  busy: boolean
  onConfirm: () => void
  onClose: () => void
}

const ArchiveDialog = ({ count, ...dialog }: ArchiveDialogProps) => (
  <ConfirmDialog {...dialog} title={`Archive ${counted(count, 'menu item')}?`} confirm="Archive">
    Archived items leave the menu and nobody can order them any more. Orders already placed stay and are
    cooked. You can unarchive them at any time.
  </ConfirmDialog>
)

/** What can be done to the chosen items together; each answers whether it was done. */
const useBulkActs = (chosen: number[]) => {
  const copies = useMutation(duplicate)
  const archiving = useMutation(archiveMany)
  const archiveAs = async (isArchived: boolean) => {
    const word = isArchived ? 'archive' : 'unarchive'
    const done = await notifyOutcome(archiving.mutateAsync({ body: { itemIds: chosen, isArchived } }), {
      done: `Selected menu items ${word}d successfully`,
      failed: `Failed to ${word} menu item`,
    })
    return done !== null
  }
  const duplicateAll = async () => {
    const done = await notifyOutcome(copies.mutateAsync({ body: { itemIds: chosen } }), {
      done: 'Selected menu items duplicated successfully',
      failed: 'Failed to duplicate menu items',
    })
    return done !== null
  }
  return { duplicateAll, archiveAs, duplicating: copies.isPending, archiving: archiving.isPending }
}
