//! The store from outside: what is committed stays, history is exact, every refusal is a sentence.

mod desk;
mod fixture;
mod history;
mod life;
mod log;
