type ChildNamesProps = { of: readonly { id: number; name: string; class: string | null }[] }

/** Children by name and class. */
export const ChildNames = ({ of }: ChildNamesProps) => (
  <ul className="max-h-60 w-full list-disc overflow-y-auto pl-5">
    {of.map((child) => (
      <li key={child.id}>{child.class ? `${child.name}, ${child.class}` : child.name}</li>
    ))}
  </ul>
)
