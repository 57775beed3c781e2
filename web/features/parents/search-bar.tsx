import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { listParents, type ParentSort } from '#contracts/parents'
import type { ListAddress, Sorting } from '../../lib/list-address'
import { Button } from '../../ui/button'
import { type SortChoice, SortSelect } from '../../ui/list-filters'
import { TextField } from '../../ui/text-field'

export const byName: Sorting<ParentSort> = { sort: 'name', direction: 'asc' }

const orders: readonly SortChoice<ParentSort>[] = [
  { ...byName, label: 'Name' },
  { sort: 'name', direction: 'desc', label: 'Name, Z to A' },
  { sort: 'username', direction: 'asc', label: 'Username' },
  { sort: 'username', direction: 'desc', label: 'Username, Z to A' },
  { sort: 'newest', direction: 'asc', label: 'Newest first' },
  { sort: 'newest', direction: 'desc', label: 'Oldest first' },
]

const searchForm = z.pick(listParents.query, { search: true })

type SearchBarProps = { list: ListAddress<ParentSort>; search: string }

/** Searches from 3 characters on, and sorts; both stand in the address. */
export const SearchBar = ({ list, search }: SearchBarProps) => {
  const { register, handleSubmit, reset, formState } = useForm({
    resolver: zodResolver(searchForm),
    defaultValues: { search },
    reValidateMode: 'onSubmit',
  })
  return (
    <form
      noValidate
      onSubmit={handleSubmit((typed) => list.onFilter({ search: typed.search || null }))}
      className="flex flex-wrap items-start gap-3"
    >
      <TextField
        {...register('search')}
        label="Search parents"
        type="search"
        className="min-w-0 grow basis-64"
        maxLength={100}
        hint="Username, name, e-mail, phone or a student's name"
        error={formState.errors.search?.message}
      />
      <div className="flex gap-2 sm:pt-7">
        <Button type="submit" icon="search">
          Search
        </Button>
        {search ? (
          <Button
            variant="secondary"
            onClick={() => {
              reset({ search: '' })
              list.onFilter({ search: null })
            }}
          >
            Show All
          </Button>
        ) : null}
      </div>
      <SortSelect choices={orders} className="w-44" {...list.sorted} />
    </form>
  )
}
