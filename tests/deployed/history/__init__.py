"""What clients saw of a service, and whether a correct service could have given these answers.

`clients` contend for the same consumers and providers; `traffic` runs them, and writes each call to
a file with its beginning, its end and its answer. `checker` reads the file and decides:

- Each consumer is a compare-and-set register with its generation, and linearizable: all calls have
  one order in which every answer is right, and in which no call comes before one that had ended
  when it began. The same goes for each provider, with its inventories, traits and aggregates
  (`effects`, `history`, `linearization`).
- A `POST /allocations` is seen as a whole, and no capacity is exceeded, in each answer to
  `GET /operator/providers?consumers=true` (`snapshot_faults`).
- What is read on a server follows that server's own writes. Reads that miss a write on another
  server are found, named and counted (`read_faults`): with one database, they are faults, too.

A call without an answer, or with a status of 500 or more, happened at some time since it began, or
never.

Why not an existing checker? Knossos (of Jepsen) and Porcupine answer the same question, for a model
that has to be written for them. They would bring in Clojure or Go, to save us a page of code. Our
search is the same as theirs: Wing and Gong's, which tries the calls that may come next, with Lowe's
memory of states that led nowhere, for each object by itself. It is fast because most of our calls
contain a generation, so there is rarely more than one that can come next. Lincheck drives the code
of one JVM from inside, so it sees neither databases nor kills. Elle finds cycles in transactions
over lists or registers, without a search. It has to know which versions follow each other. Our
generations show that, but those of a consumer that was removed start again, and Elle knows nothing
of capacities. What it would add is one order of all calls on all objects. Here, calls on several
objects are tied together only by snapshots.

The limits: bodies are those of microversion 1.28 or later, each with its generations; no consumer
ever holds the same twice, because each claim contains a number (clients.MARK); capacities never
shrink.
"""
