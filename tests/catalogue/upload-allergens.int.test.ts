import { header, multipart, soupRow, startCatalogueOnly } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

describe('allergens', () => {
  const columns = 'name,price,type,categories,weekNumbers,daysOfWeek'
  const soup = 'Soup & Bread,1.00,primary,vegetarian,"1,2,3,4,5,6","1,2,3,4,5"'

  test('are read in whatever words stand in the cell', async () => {
    await school.addAllergen('Mustard')
    await school.upload(`${columns},allergens`, `${soup},Milk;Wheat`)
    expect((await school.menu())[0]!.allergens).toEqual(['Milk', 'Wheat'])
    await school.upload(`${columns},allergens`, `${soup},"Contains: groundnuts and mustard"`)
    expect((await school.menu())[0]!.allergens).toEqual(['Peanuts', 'Mustard'])
    await school.upload(`${columns},allergens`, `${soup},n/a`)
    expect((await school.menu())[0]!.allergens).toEqual([])
  })

  test('that the list does not have are an error of their row', async () => {
    const { successCount, errors } = await school.upload(`${columns},allergens`, `${soup},Milk;Penuts`)
    expect(successCount).toBe(0)
    expect(errors).toEqual([
      `Row 2, allergens: "Penuts" is not on the school's list of allergens; the nearest is Peanuts`,
    ])
    expect(await school.menu()).toEqual([])
  })

  test('stay on the items of a price list that has no such column, as all that it does not tell', async () => {
    await school.upload(header, soupRow.replace(',none,', ',"Milk,Wheat",').replace(/true$/, 'false'))
    const [before] = await school.menu()
    await school.upload(columns, 'Soup,31,primary,vegetarian,"1,2","1,5"')
    expect(await school.menu()).toEqual([{ ...before, price: '31.00' }])
  })

  test.each([
    'Allergen',
    'ALLERGENS',
    'Allergen information',
    'allergies',
    'Food allergens',
    'Known alergens',
    'Allergènes',
    'Alérgenos',
    'Contains',
    'May contain',
  ])('stand below %j too', async (head) => {
    await school.upload(`${columns},${head}`, `${soup},Milk`)
    expect((await school.menu())[0]!.allergens).toEqual(['Milk'])
  })

  test.each(['Milk', 'Groundnuts', 'Contains gluten'])(
    'in columns of their own, as %j, refuse the file: nobody would be protected',
    async (head) => {
      expect(await school.send(multipart([`${columns},${head}`, `${soup},✓`].join('\n')))).toMatchObject({
        status: 422,
        code: 'allergen_column',
        message: `The column ${head} is an allergen. Write the allergens of each meal into one column allergens.`,
      })
      expect(await school.menu()).toEqual([])
    },
  )

  test('in two columns refuse the file', async () => {
    const file = [`${columns},allergens,Allergen`, `${soup},Milk,Wheat`].join('\n')
    expect(await school.send(multipart(file))).toMatchObject({
      status: 422,
      code: 'columns_twice',
      message: 'The file has two columns allergens: leave one of them',
    })
  })
})
