import { useState } from 'react'
import { type ParentSort, searchTooShort, shortestSearch } from '#contracts/parents'
import type { ListAddress } from '../../lib/use-list-address'
import { Button } from '../../ui/button'
import { type SortChoice, SortSelect } from '../../ui/sort-select'
import { TextField } from '../../ui/text-field'
import { byName } from './parents-address'

const orders: readonly SortChoice<ParentSort>[] = [
  { ...byName, label: 'Name' },
  { sort: 'name', direction: 'desc', label: 'Name, Z to A' },
  { sort: 'username', direction: 'asc', label: 'Username' },
  { sort: 'username', direction: 'desc', label: 'Username, Z to A' },
  { sort: 'newest', direction: 'asc', label: 'Newest first' },
  { sort: 'newest', direction: 'desc', label: 'Oldest first' },
]

type SearchBarProps = { list: ListAddress<ParentSort>; search: string }

/** Searches from 3 characters on, and sorts; both stand in the address. */
export const SearchBar = ({ list, search }: SearchBarProps) => {
  const [text, setText] = useState(search)
  const [error, setError] = useState<string>()
  const go = (wanted: string) => {
    const short = wanted.length > 0 && wanted.length < shortestSearch
    setError(short ? searchTooShort : undefined)
    if (!short) list.onFilter({ search: wanted || null })
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        go(text.trim())
      }}
      className="flex flex-wrap items-start gap-3"
    >
      <TextField
        label="Search parents"
        type="search"
        className="min-w-0 grow basis-64"
        maxLength={100}
        hint="Username, name, e-mail, phone or a student's name"
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={error}
      />
      <div className="flex gap-2 sm:pt-7">
        <Button type="submit" icon="search">
          Search
        </Button>
        {search ? (
          <Button
            variant="secondary"
            onClick={() => {
              setText('')
              go('')
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
