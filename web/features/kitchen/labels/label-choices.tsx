import type { ListAddress } from '../../../lib/list-address'
import { FilterSelect } from '../../../ui/list-filters'
import { Select } from '../../../ui/select'
import { GradeFilter } from '../class-lists/class-filters'
import { labelFormatNames, labelFormats, labelsPerPage, type LabelFormatName } from './label-formats'

type LabelChoicesProps = {
  list: Pick<ListAddress<never>, 'address' | 'onFilter'>
  format: LabelFormatName
  /** The class that the address asks for. */
  grade: string | undefined
  /** Those that have a lunch on this day. */
  grades: readonly string[]
}

/** Whose labels, on what, in which order, and from which label of a begun sheet on. */
export const LabelChoices = ({ list, format, ...grades }: LabelChoicesProps) => {
  const perPage = labelsPerPage(labelFormats[format])
  return (
    <div className="flex flex-wrap gap-3">
      <Select
        label="Labels on"
        className="w-96 max-w-full"
        options={labelFormatNames.map((value) => ({ value, label: labelFormats[value].name }))}
        value={format}
        onChange={(event) => list.onFilter({ labels: event.target.value, start: null })}
      />
      <FilterSelect
        list={list}
        name="by"
        label="Sort by"
        className="w-52"
        options={[
          { value: '', label: 'Class and name' },
          { value: 'meal', label: 'Meal' },
        ]}
      />
      {perPage === 1 ? null : (
        <FilterSelect
          list={list}
          name="start"
          label="Start at label"
          className="w-36"
          options={Array.from({ length: perPage }, (_, index) => ({
            value: index === 0 ? '' : String(index + 1),
            label: String(index + 1),
          }))}
        />
      )}
      <GradeFilter list={list} {...grades} />
    </div>
  )
}
