import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../lib/format'
import { told } from '../../lib/told'
import { Button } from '../../ui/button'
import { Checkbox } from '../../ui/checkbox'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { archiveMany, duplicate } from './api'

type BulkBarProps = {
  shown: number[]
  chosen: number[]
  archived: boolean
  onChoose: (ids: number[]) => void
}

/** Choosing all of the list, and what can be done to the chosen items together. */
export const BulkBar = ({ shown, chosen, archived, onChoose }: BulkBarProps) => {
  const copies = useMutation(duplicate)
  const archiving = useMutation(archiveMany)
  const [asking, setAsking] = useState(false)
  const busy = copies.isPending || archiving.isPending
  const duplicateAll = async () => {
    const done = 'Selected menu items duplicated successfully'
    if (await told(copies.mutateAsync(chosen), { done, failed: 'Failed to duplicate menu items' }))
      onChoose([])
  }
  const archiveAll = async () => {
    const act = archiving.mutateAsync({ itemIds: chosen, isArchived: !archived })
    const word = archived ? 'unarchive' : 'archive'
    const done = `Selected menu items ${word}d successfully`
    if (await told(act, { done, failed: `Failed to ${word} menu item` })) onChoose([])
    setAsking(false)
  }
  const all = chosen.length === shown.length
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-sand-50 px-3 py-1.5">
      <Checkbox
        label={chosen.length > 0 ? `${chosen.length} selected` : 'Select all'}
        aria-label="Select all"
        checked={all}
        ref={(box) => {
          if (box) box.indeterminate = chosen.length > 0 && !all
        }}
        onChange={() => onChoose(all ? [] : shown)}
        className="text-sm font-semibold"
      />
      {chosen.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            size="sm"
            icon="copy"
            busy={copies.isPending}
            disabled={busy}
            onClick={() => void duplicateAll()}
          >
            Duplicate
          </Button>
          <Button
            variant="secondary"
            size="sm"
            icon={archived ? 'undo' : 'archive'}
            busy={archiving.isPending}
            disabled={busy}
            onClick={() => (archived ? void archiveAll() : setAsking(true))}
          >
            {archived ? 'Unarchive' : 'Archive'}
          </Button>
        </div>
      ) : null}
      <ConfirmDialog
        open={asking}
        title={`Archive ${counted(chosen.length, 'menu item')}?`}
        confirm="Archive"
        busy={archiving.isPending}
        onConfirm={() => void archiveAll()}
        onClose={() => setAsking(false)}
      >
        They leave the menu and nobody can order them any more. Orders already placed stay and are cooked. You
        can unarchive them at any time.
      </ConfirmDialog>
    </div>
  )
}
