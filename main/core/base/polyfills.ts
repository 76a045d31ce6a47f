/** Polyfills for features that the program uses and Node 20 lacks. Each file that may run on Node 20 imports this file first. */

type Resolvers = ReturnType<typeof Promise.withResolvers<unknown>>;

// eslint-disable-next-line typescript/no-unnecessary-condition -- not there before Node 22
Promise.withResolvers ??= (() => {
  const made: Partial<Resolvers> = {};
  const promise = new Promise<unknown>((resolve, reject) => Object.assign(made, { resolve, reject }));
  return { ...made, promise };
}) as typeof Promise.withResolvers;
