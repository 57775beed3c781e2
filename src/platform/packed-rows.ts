type Packed = { rows: { packed: unknown[] }[] }

/**
 * Columns of a table that a query selects as one JSON array a row (`select ${columns} …`) and `rows` makes into rows
 * again: 200 rows of twenty columns take a third of the time they take value by value. Instants come as ISO text.
 */
export const packed =
  <Row>() =>
  <Column extends keyof Row & string>(...names: Column[]) => {
    // Copies of one object have its shape; building each name by name takes three times as long.
    const empty = Object.fromEntries(names.map((name) => [name, null])) as Record<Column, unknown>
    return {
      columns: `json_build_array(${names.join(', ')}) as packed`,
      rows: ({ rows }: Packed): Pick<Row, Column>[] =>
        rows.map(({ packed: values }) => {
          const row = { ...empty }
          for (let index = 0; index < names.length; index += 1) row[names[index]!] = values[index]
          return row as Pick<Row, Column>
        }),
    }
  }
