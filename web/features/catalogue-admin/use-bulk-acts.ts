import { useMutation } from '@tanstack/react-query'
import { told } from '../../lib/told'
import { archiveMany, duplicate } from './api'

/** What can be done to the chosen items together; each answers whether it was done. */
export const useBulkActs = (chosen: number[]) => {
  const copies = useMutation(duplicate)
  const archiving = useMutation(archiveMany)
  const archiveAs = async (isArchived: boolean) => {
    const word = isArchived ? 'archive' : 'unarchive'
    const done = await told(archiving.mutateAsync({ itemIds: chosen, isArchived }), {
      done: `Selected menu items ${word}d successfully`,
      failed: `Failed to ${word} menu item`,
    })
    return done !== null
  }
  const duplicateAll = async () => {
    const done = await told(copies.mutateAsync(chosen), {
      done: 'Selected menu items duplicated successfully',
      failed: 'Failed to duplicate menu items',
    })
    return done !== null
  }
  return { duplicateAll, archiveAs, duplicating: copies.isPending, archiving: archiving.isPending }
}
